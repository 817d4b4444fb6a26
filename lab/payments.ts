import { createHmac, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '../src/kit/server/database.ts'
import { openKeyring } from '../src/kit/server/keyring.ts'
import type { ProviderEvent } from '../src/payments/server/facts.ts'
import { builtServer, startServer } from '../test/built-server.ts'
import { aCustomer, endState, eventOf, historyOf, shuffledEvents } from '../test/payment-histories.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { count, plain, type Row } from './report.ts'

const secretKey = 'a secret of the lab, known to nobody else'
/** Events sent at the same time. */
const workers = 6

/** R9: shuffled payment events with repeats, sent to two instances, must give the same result as the events in order. */
export async function paymentRows(shuffles: number): Promise<Row[]> {
  await using database = await startDatabase()
  using folder = temporaryFolder()
  const start = (name: string) => {
    const DATA_DIR = join(folder.path, name)
    const env = { DATABASE_URL: database.url, DATA_DIR, SECRET_KEY: secretKey, DEMO_DATA: 'off', PAYMENTS: 'test' }
    return startServer(builtServer, env, { probe: '/readyz' })
  }
  await using one = await start('one')
  await using other = await start('other')
  const { db } = openDatabase({ connectionString: database.url })
  try {
    const where = { secretKey, oldSecretKey: null, dataDir: '', embedded: false }
    const key = (await openKeyring(db, where, async () => {})).keyFor('test-payments')
    const took: number[] = []
    let refused = 0
    const send = async (events: ProviderEvent[]) => {
      for (const event of events) {
        const body = JSON.stringify(event)
        const seconds = Math.floor(Date.now() / 1000)
        const signature = `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
        const began = performance.now()
        const { status } = await fetch(`${[one, other][randomInt(2)]!.base}/api/payments/webhook`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          body,
        })
        took.push(performance.now() - began)
        if (status !== 200) refused++
      }
    }
    const begun = Date.now()
    const inOrder = await aCustomer(db, 'In order')
    await send(historyOf(inOrder, begun).map((fact, n) => eventOf([fact], `${inOrder.id}_${n}`)))
    const expected = await endState(db, inOrder)
    let next = 0
    let alike = 0
    const worker = async () => {
      while (next < shuffles) {
        const customer = await aCustomer(db, `Shuffle ${next++}`)
        await send(shuffledEvents(historyOf(customer, begun), customer.id))
        if ((await endState(db, customer)) === expected) alike++
      }
    }
    await Promise.all(Array.from({ length: workers }, worker))
    const p99Ms = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!
    return [
      plain(
        `R9 ${count(shuffles)} shuffles with repeats over two instances, ${count(took.length)} events: end alike; not answered by 200; p99`,
        `${count(alike)}; ${refused}; ${p99Ms.toFixed(0)} ms`,
        'all; 0; ≤ 1 s',
        alike === shuffles && refused === 0 && p99Ms <= 1000,
      ),
    ]
  } finally {
    await db.destroy()
  }
}
