import { measurePayments } from '../payments.ts'
import { plain, type Row } from './row.ts'

export async function paymentRows(shuffled: number): Promise<Row[]> {
  const found = await measurePayments(shuffled, 50)
  const { shuffles, alike, events, refused, p99Ms, seconds: took, ledgerSum } = found
  return [
    plain(
      `R9 ${shuffles.toLocaleString('en')} shuffles with repeats over two instances (${events.toLocaleString('en')} events in ${took.toFixed(0)} s): end alike; not answered by 200; an event, p99`,
      `${alike}; ${refused}; ${p99Ms.toFixed(0)} ms`,
      'all; 0; ≤ 1 s',
      alike === shuffles && refused === 0 && p99Ms <= 1000,
    ),
    ...found.clicks.map(({ what, parallel, pages, open, transactions, strange }) => {
      const [wantedPages, wantedTransactions] = what === 'upgrade' ? [0, 1] : [1, 0]
      return plain(
        `R10 ${parallel} clicks at once, ${what}, two instances: pages, open checkouts, ledger transactions; answers but 200 and 503`,
        `${pages}, ${open}, ${transactions}; ${strange}`,
        `${wantedPages}, ${wantedPages}, ${wantedTransactions}; 0`,
        pages === wantedPages && open === wantedPages && transactions === wantedTransactions && strange === 0,
      )
    }),
    plain('Ledger after all of it', `${ledgerSum} Rappen`, '0', ledgerSum === 0),
  ]
}
