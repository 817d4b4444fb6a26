import { makePrices } from '../payments/server/stripe-prices.ts'
import { openStripe } from '../payments/server/stripe-provider.ts'
import { Misuse, noArguments, runCommand } from './command.ts'

const usage = `npm run stripe:setup

Makes the products and prices of the site at Stripe, those that are missing. STRIPE_SECRET_KEY says in which account; run it once
for the test account and once for the live one. Run again it changes nothing.
`

await runCommand({
  name: 'stripe:setup',
  usage,
  options: {},
  readTask: noArguments(usage),
  async carryOut({ payments: { stripe } }) {
    if (!stripe) throw new Misuse('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set.')
    return { exitCode: 0, lines: await makePrices(await openStripe(stripe)) }
  },
})
