/** `URL.parse`, which the oldest browsers lack (decision 70): null for an invalid address. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
