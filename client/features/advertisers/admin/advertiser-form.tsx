import { toast } from 'sonner';
import {
  advertiserTexts,
  editAdvertiser,
  getAdvertiser,
  type AdminAdvertiser,
} from '#shared/advertisers/admin-contract.ts';
import { BILLING_ADDRESS_MAX, NAME_MAX, PHONE_MAX } from '#shared/advertisers/rules.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { parseForm } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';

const LABELS = {
  company_name: 'Company name',
  contact_name: 'Contact name',
  phone: 'Phone',
  billing_address: 'Billing address',
};

const draftOf = (row: AdminAdvertiser) => ({
  company_name: row.company_name,
  contact_name: row.contact_name,
  phone: row.phone ?? '',
  billing_address: row.billing_address ?? '',
});

/** Corrects an advertiser’s details. Of a deleted contact, only the company is left. */
export function AdvertiserForm({
  advertiser,
  onDone,
}: {
  advertiser: AdminAdvertiser;
  onDone: () => void;
}) {
  const edit = useEdit({
    row: advertiser,
    draftOf,
    reload: async () => (await call(getAdvertiser, { params: { id: advertiser.id } })).advertiser,
    async save({ draft, version, isTouched }) {
      const touched = Object.entries(draft).filter(([name]) => isTouched(name));
      const texts = parseForm(advertiserTexts, Object.fromEntries(touched));
      const body = { ...texts, version };
      await call(editAdvertiser, { params: { id: advertiser.id }, body });
      toast(`${draft.company_name} saved`);
      void queries.invalidateQueries({ queryKey: ['admin', 'advertisers'] });
      onDone();
    },
  });
  const bind = (name: keyof typeof LABELS) => ({ ...edit.bind(name), autoComplete: 'off' });
  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone}>
      <Field label={LABELS.company_name} {...bind('company_name')} maxLength={NAME_MAX} required />
      {advertiser.email === null ? (
        <p className="text-soft">The contact was deleted.</p>
      ) : (
        <>
          <Field
            label={LABELS.contact_name}
            {...bind('contact_name')}
            maxLength={NAME_MAX}
            required
          />
          <Field
            label={optionalLabel(LABELS.phone)}
            {...bind('phone')}
            type="tel"
            maxLength={PHONE_MAX}
          />
          <Field
            label={optionalLabel(LABELS.billing_address)}
            {...bind('billing_address')}
            maxLength={BILLING_ADDRESS_MAX}
          />
          <p className="text-sm text-soft">
            Email: {advertiser.email}. It opens the advertiser’s dashboard, so it can’t be changed
            here.
          </p>
        </>
      )}
    </EditForm>
  );
}
