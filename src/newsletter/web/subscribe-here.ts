import type { Locale } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { subscribeNewsletter } from '../contract.ts'

/** Subscribes without the newsletter's page. */
export const subscribeHere = (email: string, language: Locale) =>
  ask(callByFetch, subscribeNewsletter, { body: { email, language } })
