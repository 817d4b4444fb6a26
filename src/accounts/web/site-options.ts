import type { LoaderFunctionArgs } from 'react-router'
import { ask, pageContext } from '../../kit/browser/ask.ts'
import { authOptions } from '../contract.ts'

export interface SiteOptions {
  google: boolean
  demoMail: string | null
  demoPayments: boolean
}

/** What this site offers for signing in; defaults if it cannot be loaded. */
export async function siteOptions(context: LoaderFunctionArgs['context']): Promise<SiteOptions> {
  const { answer } = await ask(context, authOptions, {})
  return {
    google: answer?.body.google === true,
    demoMail: answer?.body.demo_mail ?? null,
    demoPayments: answer?.body.demo_payments === true,
  }
}

export const localeOf = (context: LoaderFunctionArgs['context']) => context.get(pageContext).locale
