import type pg from 'pg'

/** Tells of each statement of connections that the pool makes from now on, once it has had no answer for `slowMs`. */
export function onSlowStatement(
  pool: pg.Pool,
  slowMs: number,
  tell: (processId: number | null) => Promise<unknown>,
): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const { processID } = client as pg.PoolClient & { processID: number | null }
      // what cannot be told is no reason for the start to fail
      const timer = setTimeout(() => void tell(processID).catch(() => {}), slowMs)
      const answer = query(...args)
      const isOver = () => clearTimeout(timer)
      if (answer instanceof Promise) answer.then(isOver, isOver)
      else isOver()
      return answer
    }) as typeof client.query
  })
}
