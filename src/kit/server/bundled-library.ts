import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type * as Stripe from 'stripe'
import type * as Tinyld from 'tinyld/light'

export const bundledFolder = join('build', 'libraries')
const root = resolve(import.meta.dirname, '../../..')

/** Where each library begins that the build bundles for the server, with the part that is asked for. */
export const bundledPackages = { stripe: 'stripe', tinyld: 'tinyld/light' } as const
interface Libraries {
  stripe: typeof Stripe
  tinyld: typeof Tinyld
}
export type BundledLibrary = keyof Libraries
const packages: { [Name in BundledLibrary]: () => Promise<Libraries[Name]> } = {
  stripe: () => import('stripe'),
  tinyld: () => import('tinyld/light'),
}

export const fileOfLibrary = (name: BundledLibrary) => `${name}.mjs`

const load = createRequire(import.meta.url)

/**
 * A library as one file of the build; where nothing was built, as in tests that need no screens, the package itself. A
 * production install has no package of it: the two would take 35 MB there, their files take less than one (PERFORMANCE P9).
 */
export async function bundledLibrary<Name extends BundledLibrary>(name: Name): Promise<Libraries[Name]> {
  const file = join(root, bundledFolder, fileOfLibrary(name))
  return existsSync(file) ? (load(file) as Libraries[Name]) : await packages[name]()
}
