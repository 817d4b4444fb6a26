import { instant, isObject, oneOf, or, record, sure, text } from '../../kit/browser/reading.ts'
import { paidTiers } from '../limits.ts'

const readPlanChange = or(
  record<{ tier: (typeof paidTiers)[number]; at: string }>({ tier: sure(oneOf(paidTiers, null)), at: sure(instant) }),
  null,
)

/** Reads the answer of an upgrade tolerantly. @returns undefined: the answer has neither a tier nor a checkout address */
export function readUpgrade(value: unknown) {
  if (!isObject(value)) return undefined
  const tier = isObject(value['business']) ? text(value['business']['subscription_tier']) : null
  const sessionUrl = text(value['sessionUrl']) || null
  if (!tier && !sessionUrl) return undefined
  return { tier: tier ?? '', sessionUrl, pending_change: readPlanChange(value['pending_change']) ?? null }
}
