/** The festival, as pages show it. */
export interface Festival {
  name: string
  edition: string
  zone: string
  latitude: number
  longitude: number
  /** First and last day, ISO dates; null while unknown. */
  days: { start: string; end: string } | null
}

declare module '../kit/browser/ask.ts' {
  interface PageContext {
    festival: Festival
  }
}
