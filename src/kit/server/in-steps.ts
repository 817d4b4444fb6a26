/** `after`: the last id of the step before; null: the first step. */
export interface Step {
  after: string | null
  limit: number
}

/** Walks rows in the order of their ids; `work` answers the ids that its step has found, and fewer than `limit` are the last. */
export async function inSteps(limit: number, work: (step: Step) => Promise<readonly string[]>): Promise<void> {
  for (let after: string | null = null; ;) {
    const ids = await work({ after, limit })
    if (ids.length < limit) return
    after = ids.at(-1)!
  }
}
