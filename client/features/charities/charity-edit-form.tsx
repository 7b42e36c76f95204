import { Fragment } from 'react';
import { toast } from 'sonner';
import {
  charityTexts,
  editCharity,
  getCharity,
  type AdminCharity,
} from '#shared/charities/admin-contract.ts';
import { EditForm } from '../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../platform/admin/list/use-edit.ts';
import { parseForm } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import type { CharityDraft } from './charity-form.ts';
import { CharityAddress, charityInput } from './charity-input.tsx';

type Name = Exclude<keyof CharityDraft, 'confirm_email'>;

/** In the order of the form, the address last. */
const LABELS: Record<Name, string> = {
  charity_name: 'Charity name',
  description: 'Description',
  contact_name: 'Contact name',
  contact_email: 'Contact email',
  payment_link: 'Donation link',
  website_url: 'Website',
  phone: 'Phone',
  tax_id: 'Tax ID',
  address: 'Street',
  city: 'City',
  state: 'State',
  zip_code: 'ZIP code',
};
const NAMES = Object.keys(LABELS) as Name[];

const draftOf = (charity: AdminCharity) =>
  Object.fromEntries(NAMES.map((name) => [name, charity[name] ?? ''])) as Record<Name, string>;

/** Corrects the texts and the contact of a charity. */
export function CharityEditForm({
  charity,
  onDone,
}: {
  charity: AdminCharity;
  onDone: () => void;
}) {
  const edit = useEdit({
    row: charity,
    draftOf,
    reload: async () => (await call(getCharity, { params: { id: charity.id } })).charity,
    async save({ draft, version, isTouched }) {
      const touched = NAMES.filter(isTouched).map((name) => [name, draft[name]]);
      const texts = parseForm(charityTexts, Object.fromEntries(touched));
      await call(editCharity, { params: { id: charity.id }, body: { ...texts, version } });
      toast(`${draft.charity_name} saved`);
      void queries.invalidateQueries({ queryKey: ['admin', 'charities'] });
      onDone();
    },
  });
  const inputOf = charityInput((name) => ({ ...edit.bind(name as Name), name }));
  // Not what the browser knows of the admin.
  const input: typeof inputOf = (name, label) => inputOf(name, label, { autoComplete: 'off' });
  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone}>
      {NAMES.slice(0, -4).map((name) => (
        <Fragment key={name}>{input(name, LABELS[name])}</Fragment>
      ))}
      <CharityAddress input={input} />
    </EditForm>
  );
}
