import { toast } from 'sonner';
import {
  editAdminTip,
  getAdminLocation,
  tipTexts,
  type AdminTip,
} from '#shared/locations/admin-contract.ts';
import { TIP_CONTENT_MAX, TIP_TITLE_MAX } from '#shared/locations/rules.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { parseForm } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { choicesOf, TIP_KINDS } from '../place-types.ts';

const LABELS = { tip_type: 'Tip type', title: 'Title', content: 'Tip' };

const draftOf = ({ tip_type, title, content }: AdminTip) => ({
  tip_type: tip_type as string,
  title,
  content,
});

/** Corrects the texts of a tip. */
export function TipEditForm({
  placeId,
  tip,
  onDone,
}: {
  placeId: string;
  tip: AdminTip;
  onDone: () => void;
}) {
  const edit = useEdit({
    row: tip,
    draftOf,
    async reload() {
      const { tips } = await call(getAdminLocation, { params: { id: placeId } });
      return tips.find(({ id }) => id === tip.id) ?? tip;
    },
    async save({ draft, version, isTouched }) {
      const touched = Object.entries(draft).filter(([name]) => isTouched(name));
      const texts = parseForm(tipTexts, Object.fromEntries(touched));
      await call(editAdminTip, { params: { id: tip.id }, body: { ...texts, version } });
      toast(`${draft.title} saved`);
      void queries.invalidateQueries({ queryKey: ['admin', 'locations'] });
      onDone();
    },
  });
  const { bind } = edit;
  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone}>
      <SelectField label={LABELS.tip_type} options={choicesOf(TIP_KINDS)} {...bind('tip_type')} />
      <Field
        label={LABELS.title}
        {...bind('title')}
        maxLength={TIP_TITLE_MAX}
        autoComplete="off"
        required
      />
      <MessageField label={LABELS.content} {...bind('content')} max={TIP_CONTENT_MAX} required />
      <p className="text-sm text-soft">Others see the corrected tip. Its author isn’t notified.</p>
    </EditForm>
  );
}
