-- Serves the mail of one person, while mails of very many are due, and what is kept of somebody who asks for it or leaves.
create index notifications_by_account on notifications (account_id, mail_due_at);
