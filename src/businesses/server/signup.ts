import { signUp, type AccountRoom, type BesideAccount, type From } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { newFileName, uploadedName, uploadsPath, type FileStore } from '../../kit/server/uploads.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { emptyRow } from '../../kit/shared/thing.ts'
import { businessFields, type BusinessFields } from '../business.ts'
import type { signUpBusiness as signUpEndpoint } from '../contract.ts'
import { remadePicture } from './pictures.ts'
import * as store from './store.ts'

/** A business that has just signed up, with the requested tier. */
export interface BusinessSignup {
  businessId: string
  name: string
  email: string | null
  tier: 'FREE' | 'PREMIUM'
  /** Origin of links in mails. */
  origin: string
}

export interface SignupRoom {
  accounts: AccountRoom
  files: FileStore
  /** Called in the transaction of the signup, so that rooms above can add to it. */
  signedUp: (trx: Sql, business: BusinessSignup) => Promise<void>
}

/**
 * Signs up a business with the account that owns it. PREMIUM is a request: it starts with a payment. If the email is taken, the
 * answer is the same and nothing is created.
 * @throws `logo_no_image`, `logo_too_many_pixels`, `invalid_input` (password), `challenge_required`
 */
export async function signUpBusiness(
  { accounts, files, signedUp }: SignupRoom,
  { body, files: { logo } }: CheckedInput<typeof signUpEndpoint>,
  from: From,
): Promise<void> {
  let storedLogo: string | null = null
  // not awaited: a slower answer would reveal that the email is taken
  const deleteLogo = () => {
    if (storedLogo) void files.delete(storedLogo).catch(() => {})
  }
  const signup = {
    kind: 'business',
    name: body.business_name,
    email: body.email,
    password: body.password,
    language: body.language,
    altcha: body.altcha,
    acceptsTerms: true,
  } as const
  try {
    const { taken } = await signUp(accounts, signup, from, async () => {
      const picture = logo ? await remadePicture(logo, 'logo') : null
      const name = newFileName()
      if (picture) await files.put((storedLogo = name), picture)
      return businessInserter({ accounts, signedUp }, body, picture ? `${uploadsPath}${name}` : null, from.origin)
    })
    if (taken) deleteLogo()
  } catch (error) {
    deleteLogo()
    throw error
  }
}

/** Inserts the business in the transaction that makes the account. */
function businessInserter(
  { accounts: { clock }, signedUp }: Pick<SignupRoom, 'accounts' | 'signedUp'>,
  body: CheckedInput<typeof signUpEndpoint>['body'],
  logoUrl: string | null,
  origin: string,
): BesideAccount {
  return async (trx) => {
    const businessId = newId()
    const now = asDate(clock.now())
    const business = {
      ...emptyRow<BusinessFields, store.BusinessesTable>(businessFields),
      business_id: businessId,
      business_name: body.business_name.trim(),
      // ends with letters of the id, because two cafés may have the same name
      slug: `${slugOf(body.business_name) || 'business'}-${businessId.slice(-8)}`,
      email: body.email.trim(),
      address: body.address?.trim() || null,
      logo_url: logoUrl,
      requested_tier: body.subscription_tier,
    }
    await store.insertBusiness(trx, business, now)
    const name = uploadedName(logoUrl)
    if (name) await store.addPicture(trx, { name, businessId, now })
    const { business_name, email, subscription_tier: tier } = body
    await signedUp(trx, { businessId, name: business_name.trim(), email: email.trim(), tier, origin })
    return businessId
  }
}
