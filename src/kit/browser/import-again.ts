const pauseMs = { first: 1000, longest: 30_000 }

/** Files of a part that do not come are asked for again: without a network, or from a server that is too busy to bring them. */
export async function importAgain<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    const part = await load().catch(() => null)
    if (part) return part
    await new Promise((resolve) => {
      if (navigator.onLine) setTimeout(resolve, pause)
      else addEventListener('online', resolve, { once: true })
    })
  }
}
