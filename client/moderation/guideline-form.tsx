import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import type { GuidelineCategory } from '#shared/moderation/contract.ts';
import {
  createGuideline,
  GUIDELINE_MAX,
  updateGuideline,
  type AdminGuideline,
} from '#shared/moderation/rules-contract.ts';
import { EditedMeanwhile } from '../admin/edited-meanwhile.tsx';
import { useEdit } from '../admin/use-edit.ts';
import { call } from '../api.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { optionsOf, SelectField } from '../ui/select-field.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useRequestKey } from '../use-problems.ts';
import { CATEGORIES } from './names.ts';

const LABELS = {
  guideline_category: 'Category',
  title: 'Title',
  description: 'Description',
  examples: 'Examples, one a line',
  consequences: 'Consequences',
  is_active: 'State',
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
  const edit = useEdit(guideline ?? NEW, draftOf, reload);
  const { form, words, fields, show, showRefusal, draft, set, version, meanwhile } = edit;
  const [saving, setSaving] = useState(false);
  const { keyFor } = useRequestKey();

  async function save(event: FormEvent) {
    event.preventDefault();
    setSaving(true);
    show('');
    const body = {
      guideline_category: draft.guideline_category as GuidelineCategory,
      title: draft.title,
      description: draft.description,
      examples: draft.examples
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
      consequences: draft.consequences,
      is_active: draft.is_active === 'yes',
    };
    try {
      if (guideline)
        await call(updateGuideline, { params: { id: guideline.id }, body: { ...body, version } });
      else await call(createGuideline, { body, idempotencyKey: keyFor(body) });
      toast.success('Guideline saved');
      void queries.invalidateQueries({ queryKey: ['admin', 'guidelines'] });
      void queries.invalidateQueries({ queryKey: ['guidelines'] });
      onDone();
    } catch (error) {
      await showRefusal(error, (guideline ? updateGuideline : createGuideline).failure);
      setSaving(false);
    }
  }

  return (
    <form ref={form} onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <EditedMeanwhile
        changes={meanwhile}
        draft={draft}
        labels={LABELS}
        onTake={(field, value) => set(field as keyof typeof draft, value)}
      />
      <SelectField
        label={LABELS.guideline_category}
        value={draft.guideline_category}
        options={optionsOf(CATEGORIES)}
        onChange={(event) => set('guideline_category', event.target.value)}
      />
      <Field
        label={LABELS.title}
        required
        maxLength={GUIDELINE_MAX.title}
        value={draft.title}
        error={fields['title']}
        onChange={(event) => set('title', event.target.value)}
      />
      {(['description', 'examples', 'consequences'] as const).map((field) => (
        <TextArea
          required
          key={field}
          label={LABELS[field]}
          maxLength={TEXT_MAX[field]}
          value={draft[field]}
          error={fields[field]}
          onChange={(event) => set(field, event.target.value)}
        />
      ))}
      <SelectField
        label={LABELS.is_active}
        value={draft.is_active}
        options={[
          { value: 'yes', name: 'Active' },
          { value: 'no', name: 'Inactive' },
        ]}
        onChange={(event) => set('is_active', event.target.value)}
      />
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <Button type="submit" wide pending={saving && 'Saving…'}>
        Save
      </Button>
    </form>
  );
}
