import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { getInvitationPolicy, saveInvitationPolicy } from '#shared/referrals/admin-contract.ts';
import { CODES_PER_MONTH_MAX } from '#shared/referrals/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { requireValid, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';

/** How many invitations with an access code each member gets a month. */
export function InvitationPolicy() {
  const asked = useQuery({
    queryKey: ['admin', 'invitation-policy'],
    queryFn: () => call(getInvitationPolicy),
    staleTime: 0,
  });
  const [typed, setTyped] = useState<string | null>(null);
  const policy = asked.data?.policy;
  const value = typed ?? String(policy?.codes_per_month ?? '');
  const form = useSubmit(
    async () => {
      const isValid = /^\d+$/.test(value) && Number(value) <= CODES_PER_MONTH_MAX;
      requireValid(isValid ? {} : { codes_per_month: `Enter 0 to ${CODES_PER_MONTH_MAX}` });
      await call(saveInvitationPolicy, {
        body: { codes_per_month: Number(value), version: policy?.version },
      });
      await asked.refetch();
      setTyped(null);
      toast('Invitation policy saved');
    },
    { staysOpen: true },
  );
  return (
    <Card title="Invitations">
      {asked.error && <RetryBanner title={getInvitationPolicy.failure} asked={asked} />}
      {policy && (
        <Form form={form} submit="Save" disabled={typed === null} className="gap-4">
          <Field
            label="Access codes per member and month"
            hint="Each lets one new person in. Members send them with their invitations."
            name="codes_per_month"
            type="number"
            inputMode="numeric"
            min={0}
            max={CODES_PER_MONTH_MAX}
            step={1}
            value={value}
            error={form.fields['codes_per_month']}
            onChange={(event) => {
              form.clear('codes_per_month');
              setTyped(event.target.value);
            }}
          />
        </Form>
      )}
    </Card>
  );
}
