import { createContext } from 'react'

/** The nonce of the answer a page travels in; only the server knows it, browsers hide it from scripts. */
export const NonceContext = createContext('')
