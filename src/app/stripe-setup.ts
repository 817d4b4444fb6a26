import { makePrices } from '../payments/server/stripe-prices.ts'
import { openStripe } from '../payments/server/stripe-provider.ts'
import { messageOf, Misuse, runCommand } from './command.ts'

const usage = `npm run stripe:setup

Makes the products and prices of the site at Stripe, those that are missing. STRIPE_SECRET_KEY says in which account; run it once
for the test account and once for the live one. Run again it changes nothing.
`

await runCommand({
  name: 'stripe:setup',
  usage,
  options: {},
  readTask({ positionals }) {
    if (positionals.length > 0) throw new Misuse(usage)
    return null
  },
  async carryOut({ payments: { stripe } }) {
    if (!stripe) throw new Misuse('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set.')
    return { exitCode: 0, lines: await makePrices(await openStripe(stripe)) }
  },
  failed: (error, isMisuse) => ({ exitCode: isMisuse ? 2 : 1, complaint: messageOf(error) }),
})
