import { expect, it } from 'vitest'
import { hashSecret, isSecret } from './secret-hash.ts'

it('a password is hashed by argon2id with a salt, 19 MiB and two passes, and can be checked', async () => {
  const [one, other] = [await hashSecret('Grüezi am Rhein'), await hashSecret('Grüezi am Rhein')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(other).not.toBe(one)
  expect(await isSecret('Grüezi am Rhein', one)).toBe(true)
  expect(await isSecret('Grüezi am Rhein'.normalize('NFD'), one)).toBe(true)
  expect(await isSecret('grüezi am Rhein', one)).toBe(false)
  expect(await isSecret('Grüezi am Rhein', null)).toBe(false)
})

it('hashes of the reference implementation are verified', async () => {
  // phc-winner-argon2, src/test.c
  const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await isSecret('password', phc)).toBe(true)
  expect(await isSecret('differentpassword', phc)).toBe(false)
})
