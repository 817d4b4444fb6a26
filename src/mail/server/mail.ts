/** The only server module of this room that other rooms may import. */
export { deleteMailsOf, deleteMailsTo, hasMail, linksWithMail, mailsOf } from './outbox.ts'
export {
  giveUpMails,
  mailJob,
  queueMail,
  requeueMails,
  sendQueuedMail,
  type MailKind,
  type MailKinds,
  type MailRoom,
  type MailToQueue,
  type QueuedMail,
} from './outbox.ts'
export type { Letter } from './layout.ts'
