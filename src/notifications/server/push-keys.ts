import type { Sql } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { House } from '../../kit/server/room.ts'
import * as store from './store.ts'

/** By which push services know who sends (VAPID, RFC 8292); base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
  /** Whom a push service may write to: `mailto:` or https. */
  subject: string
}

const purpose = 'push-keys'

/**
 * The operator's, or made at the first start and the same on every instance: browsers that subscribed with another key
 * hear nothing.
 */
export async function openPushKeys({
  db,
  keyring,
  settings,
}: Pick<House, 'keyring' | 'settings'> & { db: Sql }): Promise<PushKeys> {
  const { contact: subject, keys } = settings.notifications
  if (keys) return { ...keys, subject }
  const kept = (await store.findPushKeys(db)) ?? (await store.keepPushKeys(db, await freshKeys(keyring)))
  const { publicKey } = kept
  const privateKey = keyring.open(purpose, publicKey, kept.privateKey)
  return { publicKey, privateKey, subject }
}

async function freshKeys(keyring: Keyring) {
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { publicKey, privateKey: keyring.seal(purpose, publicKey, privateKey) }
}

/** After the secret of the installation has changed. */
export async function sealPushKeysAnew(db: Sql, keyring: Keyring): Promise<void> {
  const kept = await store.findPushKeys(db)
  const sealed = kept && keyring.sealAnew(purpose, kept.publicKey, kept.privateKey)
  if (sealed) await store.setSealedPushKey(db, sealed)
}
