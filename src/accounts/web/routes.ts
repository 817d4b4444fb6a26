/** Address -> screen of this room. */
export const screens = {
  userlogin: 'UserLoginScreen.tsx',
  usersignup: 'UserSignupScreen.tsx',
  'business-login': 'BusinessLoginScreen.tsx',
  googlelogin: 'GoogleLoginScreen.tsx',
  socialLogin: 'GoogleLoginScreen.tsx',
  'forgot-password': 'ForgotPasswordScreen.tsx',
  'reset-password': 'ResetPasswordScreen.tsx',
  'verify-email': 'VerifyEmailScreen.tsx',
  newsletter: 'NewsletterScreen.tsx',
  'newsletter/confirm': 'NewsletterConfirmScreen.tsx',
  'newsletter/unsubscribe': 'NewsletterOutScreen.tsx',
  settings: 'SettingsScreen.tsx',
}
