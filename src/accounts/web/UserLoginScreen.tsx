import 'texts:accountForms,businessLogin,forms,signup,userLogin'
import type { ActionFunctionArgs } from 'react-router'
import { Login } from './Login.tsx'
import { loadLogin, logInInBrowser, logInTooEarly } from './login-actions.ts'

export { loadLogin as loader, loadLogin as clientLoader, logInTooEarly as action }
export const clientAction = (args: ActionFunctionArgs) => logInInBrowser('user', args)

export default function UserLoginScreen() {
  return <Login kind="user" />
}
