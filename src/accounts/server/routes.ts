import {
  knownCaller,
  operation,
  type RequestContext,
  type Operation,
  type Texts,
} from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import { newChallenge } from './challenge.ts'
import { exportMe } from './export.ts'
import { exchangeGoogle, finishGoogle, startGoogle } from './google.ts'
import { logIn } from './login.ts'
import { forgotPassword, resetPassword, verifyEmail } from './mailed-links.ts'
import * as me from './me.ts'
import { fromOf as from, type AccountRoom } from './room.ts'
import { disableSecondFactor, enableSecondFactor, renewRecoveryCodes, setUpSecondFactor } from './second-factor.ts'
import * as sessions from './sessions.ts'
import { countFailedSignup, signUp } from './signup.ts'

export function accountOperations(room: AccountRoom, texts: Texts): Operation[] {
  const { settings } = room
  const messageOf = ({ locale }: RequestContext, key: string) => ({ message: texts.say(locale, `accounts.${key}`) })
  return [
    operation(
      contract.signUpVisitor,
      async ({ body }, asking) => {
        const { display_name: name, accepts_terms: acceptsTerms, email, password, language, altcha } = body
        await signUp(room, { kind: 'user', name, acceptsTerms, email, password, language, altcha }, from(asking))
        return messageOf(asking, 'signed_up')
      },
      { refused: (asking, refusal) => countFailedSignup(room, asking.visitor?.address ?? '', refusal) },
    ),
    operation(contract.logInVisitor, ({ body }, asking) => logIn(room, 'user', body, from(asking))),
    operation(contract.logInBusiness, ({ body }, asking) => logIn(room, 'business', body, from(asking))),
    operation(contract.refreshSession, ({ body }, { requestId }) =>
      sessions.refreshSession(room, body.refreshToken, requestId),
    ),
    operation(contract.logOut, ({ body }, { who, requestId }) =>
      sessions.logOut(room, { who, refreshToken: body.refreshToken, requestId }),
    ),
    operation(contract.forgotPassword, async ({ body: { email, kind } }, asking) => {
      await forgotPassword(room, { email, kind }, from(asking))
      return messageOf(asking, 'forgotten')
    }),
    operation(contract.resetPassword, ({ body }, asking) => resetPassword(room, body, from(asking))),
    operation(contract.verifyEmail, ({ body }, asking) => verifyEmail(room, body.token, from(asking))),
    operation(contract.resendVerification, async (_, asking) => {
      await me.resendVerification(room, knownCaller(asking), from(asking))
      return messageOf(asking, 'verification_sent')
    }),
    operation(contract.authOptions, async () => ({
      google: settings.google !== null,
      challenge: settings.signupChallenge,
      verified_email_required: settings.requireVerifiedEmail,
      password_blocklist: settings.passwordBlocklist,
      demo_mail: settings.demoMail,
      demo_payments: settings.demoPayments,
    })),
    operation(contract.getChallenge, (_, { visitor }) => newChallenge(room, visitor?.address ?? '')),
    operation(contract.startGoogle, ({ query }, asking) => startGoogle(room, query.next, from(asking))),
    operation(contract.finishGoogle, ({ query }, asking) => finishGoogle(room, query, asking.cookie, from(asking))),
    operation(contract.exchangeGoogle, ({ body: { code, password, totp } }, asking) =>
      exchangeGoogle(room, { code, password, totp }, asking.cookie, from(asking)),
    ),
    operation(contract.getMe, (_, asking) => me.findMe(room, knownCaller(asking))),
    operation(contract.changeMe, ({ body }, asking) => me.changeMe(room, knownCaller(asking), body, from(asking))),
    operation(contract.deleteMe, ({ body }, asking) => me.deleteMe(room, knownCaller(asking), body, from(asking))),
    operation(contract.cancelDeletion, (_, asking) => me.cancelDeletion(room, knownCaller(asking), from(asking))),
    operation(contract.exportMe, (_, asking) => exportMe(room, knownCaller(asking))),
    operation(contract.listSessions, (_, asking) => sessions.listSessions(room, knownCaller(asking))),
    operation(contract.endSession, ({ params }, asking) =>
      sessions.endSession(room, knownCaller(asking), params.session_id, asking.requestId),
    ),
    operation(contract.endOtherSessions, (_, asking) =>
      sessions.endOtherSessions(room, knownCaller(asking), asking.requestId),
    ),
    operation(contract.changeEmail, async ({ body }, asking) => {
      await me.changeEmail(room, knownCaller(asking), body, from(asking))
      return messageOf(asking, 'email_change_sent')
    }),
    operation(contract.changePassword, ({ body }, asking) =>
      me.changePassword(room, knownCaller(asking), body, from(asking)),
    ),
    operation(contract.setUpSecondFactor, ({ body }, asking) =>
      setUpSecondFactor(room, knownCaller(asking), body.password, from(asking)),
    ),
    operation(contract.enableSecondFactor, ({ body }, asking) =>
      enableSecondFactor(room, knownCaller(asking), body.totp, from(asking)),
    ),
    operation(contract.disableSecondFactor, ({ body }, asking) =>
      disableSecondFactor(room, knownCaller(asking), body, from(asking)),
    ),
    operation(contract.renewRecoveryCodes, ({ body }, asking) =>
      renewRecoveryCodes(room, knownCaller(asking), body, from(asking)),
    ),
  ]
}
