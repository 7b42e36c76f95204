import { toast } from 'sonner';
import type { GuidelineCategory } from '#shared/moderation/contract.ts';
import {
  createGuideline,
  GUIDELINE_MAX,
  updateGuideline,
  type AdminGuideline,
} from '#shared/moderation/rules-contract.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { optionsOf, SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import { TextArea } from '../../../platform/ui/inputs/text-area.tsx';
import { ACTIVITY, CATEGORIES } from './labels.ts';

const LABELS = {
  guideline_category: 'Category',
  title: 'Title',
  description: 'Description',
  examples: 'Examples, one per line',
  consequences: 'Consequences',
  is_active: 'Status',
};

const TEXT_MAX = {
  description: GUIDELINE_MAX.description,
  examples: GUIDELINE_MAX.examples * GUIDELINE_MAX.example,
  consequences: GUIDELINE_MAX.consequences,
};

const NEW: AdminGuideline = {
  id: '',
  guideline_category: 'respectful_communication',
  title: '',
  description: '',
  examples: [],
  consequences: '',
  is_active: true,
  updated_at: '',
  version: 0,
};

const draftOf = (guideline: AdminGuideline) => ({
  guideline_category: guideline.guideline_category as string,
  title: guideline.title,
  description: guideline.description,
  examples: guideline.examples.join('\n'),
  consequences: guideline.consequences,
  is_active: guideline.is_active ? 'yes' : 'no',
});

/** @param guideline null for a new one */
export function GuidelineForm({
  guideline,
  reload,
  onDone,
}: {
  guideline: AdminGuideline | null;
  reload: () => Promise<AdminGuideline>;
  onDone: () => void;
}) {
  const edit = useEdit({
    row: guideline ?? NEW,
    draftOf,
    reload,
    async save({ draft, version, keyFor }) {
      const body = {
        ...draft,
        guideline_category: draft.guideline_category as GuidelineCategory,
        examples: draft.examples
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        is_active: draft.is_active === 'yes',
      };
      if (guideline)
        await call(updateGuideline, { params: { id: guideline.id }, body: { ...body, version } });
      else await call(createGuideline, { body, idempotencyKey: keyFor(body) });
      toast.success('Guideline saved');
      void queries.invalidateQueries({ queryKey: ['admin', 'guidelines'] });
      void queries.invalidateQueries({ queryKey: ['guidelines'] });
      onDone();
    },
  });
  const { bind } = edit;

  return (
    <EditForm edit={edit} labels={LABELS} submit="Save" onCancel={onDone} checks>
      <SelectField
        label={LABELS.guideline_category}
        {...bind('guideline_category')}
        options={optionsOf(CATEGORIES)}
      />
      <Field label={LABELS.title} required maxLength={GUIDELINE_MAX.title} {...bind('title')} />
      {(['description', 'examples', 'consequences'] as const).map((field) => (
        <TextArea
          required
          key={field}
          label={LABELS[field]}
          maxLength={TEXT_MAX[field]}
          {...bind(field)}
        />
      ))}
      <SelectField label={LABELS.is_active} {...bind('is_active')} options={optionsOf(ACTIVITY)} />
    </EditForm>
  );
}
