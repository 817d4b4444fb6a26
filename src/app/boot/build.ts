import { createContext } from 'react'

const ofDocument = typeof document === 'undefined' ? '' : (document.documentElement.dataset['build'] ?? '')

/** Version of the built screens. The server provides it and writes it into the document, where browsers read it. */
export const BuildContext = createContext(ofDocument)
