import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Passwords of test accounts cost next to nothing: at their real cost they took a fifth of all API tests. What is stored still says the
 * real one, and what that does is a test of its own (kit/server/secret-hash.test.ts) and of every server that a test starts.
 */
const quick = { memory: 8, passes: 1 }
const { argon2 } = crypto
// once a worker
if (argon2.name !== 'quickly') {
  crypto.argon2 = function quickly(algorithm, parameters, callback) {
    argon2(algorithm, { ...parameters, ...quick }, callback)
  }
  syncBuiltinESMExports()
}
