import type { RouterContextProvider } from 'react-router'
import { setConnection } from '../../kit/browser/connection.ts'
import { fillCaches } from './fill-caches.ts'
import type { TakeOver, WorkerMessage } from './cached-pages.ts'

const scriptAddress = '/sw.js'

/**
 * Registers the service worker and lets it cache what should open without a network. A new version waits: it takes over at once
 * if no page of the old version is open, otherwise a line offers to reload.
 */
export async function register(getContext: () => RouterContextProvider): Promise<void> {
  const registration = await navigator.serviceWorker.register(allowed(scriptAddress) as string, {
    updateViaCache: 'none',
  })
  const look = () => registration.waiting && void offer(registration.waiting)
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', () => navigator.serviceWorker.controller && look()),
  )
  look()
  const { active } = await navigator.serviceWorker.ready
  if (!navigator.serviceWorker.controller) await controlled()
  active?.postMessage({ type: 'keep', choice: choice() } satisfies WorkerMessage)
  await fillCaches(getContext, choice())
}

const choice = () => `${document.documentElement.lang} ${document.documentElement.dataset['theme'] ?? 'auto'}`

const controlled = () =>
  new Promise<void>((resolve) =>
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
  )

async function offer(waiting: ServiceWorker): Promise<void> {
  const { build = '' } = document.documentElement.dataset
  const channel = new MessageChannel()
  const answer = new Promise<TakeOver>((resolve) => (channel.port1.onmessage = ({ data }) => resolve(data as TakeOver)))
  waiting.postMessage({ type: 'take-over', build } satisfies WorkerMessage, [channel.port2])
  if ((await answer) !== 'newer') return
  const update = () => {
    // another tab has activated the new version already
    if (waiting.state !== 'installed') return location.reload()
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage({ type: 'skip-waiting' } satisfies WorkerMessage)
  }
  setConnection({ update })
}

/** The worker's address as a `TrustedScriptURL`; browsers without Trusted Types take the text. */
function allowed(address: string): unknown {
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      createPolicy(name: string, rules: object): { createScriptURL(address: string): unknown }
    }
  }
  if (!trustedTypes) return address
  const policy = trustedTypes.createPolicy('worker', {
    createScriptURL: (url: string) => {
      if (url === scriptAddress) return url
      throw new TypeError('No other service worker may be registered.')
    },
  })
  return policy.createScriptURL(address)
}
