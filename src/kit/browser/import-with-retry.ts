/** Loads the code of a part, with retries: the network may be away, or the server busy. Never gives up. */
export async function importWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pauseMs = 1000; ; pauseMs = Math.min(2 * pauseMs, 30_000)) {
    const part = await load().catch(() => null)
    if (part) return part
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
      addEventListener('online', resolve, { once: true })
    })
  }
}
