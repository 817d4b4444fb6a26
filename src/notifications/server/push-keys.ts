import type { Sql } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import type { House } from '../../kit/server/room.ts'
import * as store from './store.ts'

/** VAPID keys (RFC 8292), base64url: push services know the sender by them. */
export interface PushKeys {
  publicKey: string
  privateKey: string
  /** Contact for push services: `mailto:` or https. */
  subject: string
}

const purpose = 'push-keys'

/**
 * The operator's keys; else keys made at the first start and shared by all instances. They must never change: a browser that
 * subscribed with another key gets no pushes.
 */
export async function openPushKeys({
  db,
  keyring,
  settings,
}: Pick<House, 'keyring' | 'settings'> & { db: Sql }): Promise<PushKeys> {
  const { contact: subject, keys } = settings.notifications
  if (keys) return { ...keys, subject }
  const stored = (await store.findPushKeys(db)) ?? (await store.insertPushKeys(db, await newKeys(keyring)))
  const { publicKey } = stored
  const privateKey = keyring.open(purpose, publicKey, stored.privateKey)
  return { publicKey, privateKey, subject }
}

async function newKeys(keyring: Keyring) {
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { publicKey, privateKey: keyring.seal(purpose, publicKey, privateKey) }
}

/** Encrypts the private key again after the installation's secret has changed. */
export async function sealPushKeysAnew(db: Sql, keyring: Keyring): Promise<void> {
  const stored = await store.findPushKeys(db)
  const sealed = stored && keyring.sealAnew(purpose, stored.publicKey, stored.privateKey)
  if (sealed) await store.setSealedPushKey(db, sealed)
}
