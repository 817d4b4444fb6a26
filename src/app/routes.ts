import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Every URL and its screen. Screens lie in their rooms. */
export default [
  // a pathless layout, so that errors of screens end below the document and never in it
  layout('Frame.tsx', [
    index('HomeScreen.tsx'),
    route('deals', '../deals/web/DealsScreen.tsx'),
    route('dealsmap', '../deals/web/DealsMapScreen.tsx'),
    route('deal/:deal_id', '../deals/web/DealScreen.tsx'),
    route('business', '../businesses/web/BusinessesScreen.tsx'),
    route('business/:business_id', 'BusinessScreen.tsx'),
    route('contact', '../contact/web/ContactScreen.tsx'),
    route('terms', 'info/TermsScreen.tsx'),
    route('privacy', 'info/PrivacyScreen.tsx'),
    route('help', 'info/HelpScreen.tsx'),
    route('learn-more', 'info/LearnMoreScreen.tsx'),
    route('map-data', 'info/MapDataScreen.tsx'),
    route('maps', 'MapsScreen.tsx'),
    route('userlogin', '../accounts/web/UserLoginScreen.tsx'),
    route('usersignup', '../accounts/web/UserSignupScreen.tsx'),
    route('business-login', '../accounts/web/BusinessLoginScreen.tsx'),
    route('signup', '../businesses/web/BusinessSignupScreen.tsx'),
    route('googlelogin', '../accounts/web/GoogleLoginScreen.tsx'),
    route('socialLogin', '../accounts/web/GoogleLoginScreen.tsx', { id: 'socialLogin' }),
    route('forgot-password', '../accounts/web/ForgotPasswordScreen.tsx'),
    route('reset-password', '../accounts/web/ResetPasswordScreen.tsx'),
    route('verify-email', '../accounts/web/VerifyEmailScreen.tsx'),
    route('newsletter', '../accounts/web/NewsletterScreen.tsx'),
    route('newsletter/confirm', '../accounts/web/NewsletterConfirmScreen.tsx'),
    route('newsletter/unsubscribe', '../accounts/web/NewsletterOutScreen.tsx'),
    route('settings', '../accounts/web/SettingsScreen.tsx'),
    route('dashboard', 'DashboardScreen.tsx'),
    ...soonScreens(),
    route('*', 'NotFoundScreen.tsx'),
  ]),
] satisfies RouteConfig

/** Addresses of rooms that are not open yet: they answer 200 with their name and one honest sentence. */
function soonScreens() {
  const paths = [
    'events',
    'forum',
    'edit-business',
    'create-deal',
    'deal-analytics',
    'upgrade-subscription',
    'upgrade',
    'promote-business',
    'myschedule',
    'favorites',
    'redeem',
    'deal/:deal_id/edit',
  ]
  return paths.map((path) => route(path, 'SoonScreen.tsx', { id: `soon:${path}` }))
}
