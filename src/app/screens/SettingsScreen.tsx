import 'texts:accountForms,forms,notifications,settings,verification'
import Settings from '../../accounts/web/SettingsScreen.tsx'
import { NotificationRow } from '../../notifications/web/NotificationRow.tsx'

export { headers } from '../../accounts/web/SettingsScreen.tsx'

/** The settings of the account, with those of notifications. */
export default function SettingsScreen() {
  return <Settings notices={<NotificationRow key="notifications" />} />
}
