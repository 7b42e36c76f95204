import { Check, Copy, Share2, Ticket } from 'lucide-react';
import { useState } from 'react';
import { createReferral } from '#shared/referrals/contract.ts';
import { INVITATION_DAYS, referralLink } from '#shared/referrals/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { PRODUCT } from '../../platform/product.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { refreshReferralStats, useReferralStats } from './use-referrals.ts';

/** Makes a link with an access code of its own, for one friend. */
export function InvitationLink() {
  const { data: stats } = useReferralStats();
  const [link, setLink] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const text = `Walk with me on ${PRODUCT}. This link lets you in.`;
  // Closing the share sheet isn't an error.
  const share =
    'share' in navigator
      ? (url: string) => void navigator.share({ title: PRODUCT, text, url }).catch(() => null)
      : null;
  const form = useSubmit(
    async (keyFor) => {
      const body = { referral_method: 'link' as const };
      const { referral } = await call(createReferral, { body, idempotencyKey: keyFor(body, link) });
      const made = referralLink(location.origin, referral.id);
      setLink(made);
      setCopied(false);
      // Where the tap that made it no longer counts, the button below opens the sheet.
      share?.(made);
      void refreshReferralStats();
    },
    { staysOpen: true },
  );
  const { codes_per_month, codes_left } = stats ?? {};
  if (codes_left === undefined) return null;

  async function copy(text: string) {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }

  return (
    <section aria-label="A link for one friend" className="flex flex-col gap-3">
      <h3 className="font-bold">A link for one friend</h3>
      <p className="text-soft">
        It comes with an access code for one new person, for {INVITATION_DAYS} days.{' '}
        {codes_left > 0
          ? `You have ${codes_left} of ${codes_per_month} left this month.`
          : 'You’ve used all of this month’s codes.'}
      </p>
      {link && (
        <>
          <Field
            label="Link for your friend"
            value={link}
            readOnly
            onFocus={(event) => event.target.select()}
          />
          <div className="flex flex-col gap-2 sm:flex-row">
            <Button
              wide
              look="secondary"
              onClick={() => void copy(link)}
              Icon={isCopied ? Check : Copy}
            >
              {isCopied ? 'Copied!' : 'Copy this link'}
            </Button>
            {share && (
              <Button look="secondary" wide Icon={Share2} onClick={() => share(link)}>
                Share this link…
              </Button>
            )}
          </div>
        </>
      )}
      {codes_left > 0 && (
        <Form
          form={form}
          submit={link ? 'Make another link' : share ? 'Share a link' : 'Make a link'}
          pending="Making a link…"
          Icon={Ticket}
        >
          {null}
        </Form>
      )}
    </section>
  );
}
