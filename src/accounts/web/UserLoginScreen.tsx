import type { ActionFunctionArgs } from 'react-router'
import { loadLogin, Login, logInHere, logInTooEarly } from './Login.tsx'

export { loadLogin as loader, loadLogin as clientLoader, logInTooEarly as action }
export const clientAction = (args: ActionFunctionArgs) => logInHere('user', args)

export default function UserLoginScreen() {
  return <Login kind="user" />
}
