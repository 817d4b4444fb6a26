import { pageContext, submit } from '../../kit/browser/asking.ts'
import type { authOptions } from '../contract.ts'

export interface SiteOptions {
  google: boolean
  demoMail: string | null
}

/** What this site offers for signing in; a page shows without it, too. */
export async function siteOptions(context: Parameters<typeof submit>[0]): Promise<SiteOptions> {
  const { answer } = await submit<typeof authOptions>(context, 'GET /api/auth/options', {})
  return { google: answer?.body.google === true, demoMail: answer?.body.demo_mail ?? null }
}

export const localeOf = (context: Parameters<typeof submit>[0]) => context.get(pageContext).locale
