let comeAlive: () => void
let fail: (error: unknown) => void

/** Settles once for a document: React has taken it over, or could not. */
export const alive = new Promise<void>((resolve, reject) => {
  comeAlive = resolve
  fail = reject
})

let isAlive = false

/** What the effects of the first render do still belongs to it. */
export function noteAlive() {
  setTimeout(() => {
    isAlive = true
    comeAlive()
  })
}

/** False for an error after the page has come alive; any other is noted. */
export function noteFailure(error: unknown): boolean {
  if (!isAlive) fail(error)
  return !isAlive
}
