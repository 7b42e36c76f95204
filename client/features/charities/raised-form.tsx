import { useState } from 'react';
import { toast } from 'sonner';
import { updateCharity, type AdminCharity } from '#shared/charities/admin-contract.ts';
import { RAISED_MAX_CENTS, raisedWords } from '#shared/charities/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';

const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100);

/** Records the amount that a charity reports. We can't know it: donations are made on the charity's own page. */
export function RaisedForm({ charity }: { charity: AdminCharity }) {
  const [draft, setDraft] = useState({
    total_donated_cents: String(charity.total_donated_cents / 100),
  });
  const form = useSubmit(
    async () => {
      const total_donated_cents = centsOf(draft.total_donated_cents);
      if (!(total_donated_cents >= 0 && total_donated_cents <= RAISED_MAX_CENTS))
        throw new InvalidForm({ total_donated_cents: 'Enter an amount in dollars' });
      const { id, version } = charity;
      await call(updateCharity, { params: { id }, body: { total_donated_cents, version } });
      toast.success('Saved');
      await queries.invalidateQueries({ queryKey: ['admin', 'charities'] });
    },
    { staysOpen: true },
  );
  const bind = form.bind(draft, (name, value) =>
    setDraft((typed) => ({ ...typed, [name]: value })),
  );
  return (
    <Form form={form} submit="Save amount" look="secondary" pending="Saving…" checks>
      <Field
        label="Raised, as the charity reports (USD)"
        hint={`Members see it as “${raisedWords(centsOf(draft.total_donated_cents) || 100_00)}”. With 0, they see nothing.`}
        type="number"
        inputMode="decimal"
        min={0}
        step={0.01}
        required
        {...bind('total_donated_cents')}
      />
    </Form>
  );
}
