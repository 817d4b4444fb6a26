/** `after`: the last id of the previous step; null: the first step. */
export interface Step {
  after: string | null
  limit: number
}

/** Walks through rows in the order of their ids. `work` returns the ids of its step; fewer than `limit` end the walk. */
export async function inSteps(limit: number, work: (step: Step) => Promise<readonly string[]>): Promise<void> {
  for (let after: string | null = null; ;) {
    const ids = await work({ after, limit })
    if (ids.length < limit) return
    after = ids.at(-1)!
  }
}
