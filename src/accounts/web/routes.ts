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
}
