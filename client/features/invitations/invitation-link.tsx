import { Check, Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import { invitationLink } from '#shared/invitations/link.ts';
import { INVITATION_DAYS_MAX } from '#shared/invitations/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { useCopy } from '../../platform/ui/buttons/use-copy.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { shareInvitation } from './share-invitation.ts';
import { invite, useInvitations } from './use-invitations.ts';

/**
 * Makes a link for one person: it lets somebody new in, and leads a member to who made it.
 * @param onMade called when there is one more
 */
export function InvitationLink({ onMade }: { onMade?: () => void }) {
  const userId = useUser()?.id ?? '';
  const { codes_left, codes_per_month } = useInvitations();
  const [link, setLink] = useState<string | null>(null);
  const { outcome, copy } = useCopy(link ?? '');
  const isCopied = outcome === 'copied';
  const form = useSubmit(
    async (keyFor) => {
      const body = { by_link: true as const, expires_in_days: INVITATION_DAYS_MAX };
      const made = invitationLink(location.origin, await invite(userId, body, keyFor(body, link)));
      setLink(made);
      // Where the tap that made it no longer counts, the button below opens the sheet.
      shareInvitation?.(made);
      onMade?.();
    },
    { staysOpen: true },
  );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        <span>
          A link for one person, for {INVITATION_DAYS_MAX} days. It lets somebody new in, and shows
          a member who’s asking.
        </span>
        {codes_left !== undefined && (
          <span>
            {codes_left > 0
              ? ` ${codes_left} of ${codes_per_month} that let somebody in are left this month.`
              : ' This month’s access codes are used up, so that it’s for members only now.'}
          </span>
        )}
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
              look={shareInvitation ? 'secondary' : 'primary'}
              onClick={() => void copy()}
              Icon={isCopied ? Check : Copy}
            >
              {isCopied ? 'Copied!' : 'Copy this link'}
            </Button>
            {shareInvitation && (
              <Button wide Icon={Share2} onClick={() => shareInvitation?.(link)}>
                Share this link…
              </Button>
            )}
          </div>
        </>
      )}
      <Form
        form={form}
        look={link ? 'secondary' : undefined}
        submit={link ? 'Make another link' : shareInvitation ? 'Share a link' : 'Make a link'}
        pending="Making a link…"
        Icon={Share2}
      >
        {null}
      </Form>
    </div>
  );
}
