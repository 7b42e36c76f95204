import { Plus, Share2 } from 'lucide-react';
import { useState } from 'react';
import { invitationLink } from '#shared/invitations/link.ts';
import { INVITATION_DAYS_MAX } from '#shared/invitations/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { LinkField } from '../../platform/ui/inputs/link-field.tsx';
import { INVITATION_TEXT, shareInvitation } from './share-invitation.ts';
import { invite, useInvitations } from './use-invitations.ts';

/**
 * Makes a link for one person: it lets somebody new in, and leads a member to who made it.
 * @param onMade called when there is one more
 */
export function InvitationLink({ onMade }: { onMade?: () => void }) {
  const userId = useUser()?.id ?? '';
  const { codes_left, codes_per_month } = useInvitations();
  const [link, setLink] = useState<string | null>(null);
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
        <span>For one friend, for {INVITATION_DAYS_MAX} days.</span>
        {codes_left !== undefined && (
          <span>
            {codes_left > 0
              ? ` If they’re new, it lets them in. You have ${codes_left} of ${codes_per_month} such links left this month.`
              : ' It’s for members only now: this month’s access codes are used up.'}
          </span>
        )}
      </p>
      {link ? (
        <>
          <LinkField
            label="Link for your friend"
            link={link}
            what="this link"
            text={INVITATION_TEXT}
            isMain
          />
          <Button
            look="quiet"
            Icon={Plus}
            onClick={() => setLink(null)}
            className="-ml-5 self-start"
          >
            Make another link
          </Button>
        </>
      ) : (
        <Form
          form={form}
          submit={shareInvitation ? 'Share a link' : 'Make a link'}
          pending="Making a link…"
          Icon={Share2}
        >
          {null}
        </Form>
      )}
    </div>
  );
}
