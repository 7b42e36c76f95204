import type { Context } from 'koa';
import { HttpError } from '#shared/http/http-error.ts';
import { secretsOf } from '../hmac.ts';
import { escapeHtml, htmlPages } from '../html.ts';
import { addressOf, networkOf } from '../http/request-origin.ts';
import type { Api } from '../services.ts';
import { queuedMail, type SandboxSentRow, sandboxSent } from './collections.ts';
import { mailQueueData } from './personal-data.ts';
import { readUnsubscribeToken, UNSUBSCRIBE_PATH } from './unsubscribe-token.ts';

const SENT_PATH = '/dev/sent';
const { policy, page } = htmlPages();

/** The unsubscribe page, and the page of messages that the sandbox stored. */
export function mountMailQueue({ router, services }: Api): void {
  const { env, mailQueue, db, limiter, personalData } = services;
  personalData.add(mailQueueData(db));
  services.metrics.gauge('mail_queue_waiting', 'Emails and text messages to send.', () =>
    queuedMail(db).countDocuments({ status: 'waiting' }),
  );
  const limit = limiter({ name: 'unsubscribe', points: 60, seconds: 60 });

  async function recipientOf(ctx: Context): Promise<string> {
    await limit(networkOf(addressOf(ctx)));
    const { token = '' } = ctx['params'] as { token?: string };
    const id = readUnsubscribeToken(secretsOf(env), token);
    if (!id) throw new HttpError(404, 'This link is incomplete. Open it from the email.');
    return id;
  }
  function show(ctx: Context, title: string, body: string): void {
    ctx.set('content-security-policy', policy);
    // Without a referrer policy, browsers send the form with `Origin: null`, which is rejected as cross-site.
    ctx.set('referrer-policy', 'same-origin');
    ctx.type = 'html';
    ctx.body = page(`${title} · ${env.PRODUCT_NAME}`, body);
  }

  // Link scanners open this page, so that only the button unsubscribes.
  router.get(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await recipientOf(ctx);
    show(
      ctx,
      'Unsubscribe',
      `<h1>Unsubscribe?</h1>
<p>${escapeHtml(env.PRODUCT_NAME)} won’t send invitations to your address anymore.</p>
<form method="post"><button>Unsubscribe</button></form>`,
    );
  });

  router.post(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await mailQueue.optOut('email', await recipientOf(ctx));
    show(
      ctx,
      'Unsubscribed',
      '<h1>You’re unsubscribed</h1><p>We won’t send invitations to this address anymore.</p>',
    );
  });

  if (mailQueue.sandboxChannels.length === 0) return;
  router.get(SENT_PATH, async (ctx: Context) => {
    const rows = await sandboxSent(db).find().sort({ at: -1 }).limit(50).toArray();
    const list = rows.map(sentArticle).join('\n') || '<p>No messages yet.</p>';
    const intro = 'This installation stores emails and text messages here instead of sending them.';
    show(ctx, 'Sandbox messages', `<h1>Sandbox messages</h1>\n<p>${intro}</p>\n${list}`);
  });
}

function sentArticle({ message, at }: SandboxSentRow): string {
  const title = message.channel === 'email' ? message.subject : 'Text message';
  const text = escapeHtml(message.text).replace(
    /https?:\/\/[^\s<]+/g,
    (url) => `<a href="${url}">${url}</a>`,
  );
  return `<article>
<h2>${escapeHtml(title)}</h2>
<small>to ${escapeHtml(message.to)}, ${at.toISOString()}</small>
<pre>${text}</pre>
</article>`;
}
