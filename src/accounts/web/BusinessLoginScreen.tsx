import type { ActionFunctionArgs } from 'react-router'
import { loadLogin, Login, logInHere, logInTooEarly } from './Login.tsx'

export { loadLogin as loader, loadLogin as clientLoader, logInTooEarly as action }
export const clientAction = (args: ActionFunctionArgs) => logInHere('business', args)

export default function BusinessLoginScreen() {
  return <Login kind="business" />
}
