import { useState, type FormEvent } from 'react';
import { AD_DESCRIPTION_MAX, AD_TITLE_MAX } from '#shared/ads/rules.ts';
import { ADDRESS_MAX, listingText, PHONE_MAX, timedAdText } from '#shared/advertisers/contract.ts';
import { updateTimedAd, type Listing, type TimedAd } from '#shared/advertisers/desk-contract.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { useProblems } from '../use-problems.ts';
import { problemsIn, unanswered } from './field-problems.ts';
import type { DeskActs } from './use-desk-acts.ts';

interface Input {
  name: string;
  label: string;
  max?: number;
  type?: 'url' | 'tel';
}

const TIMED: readonly Input[] = [
  { name: 'title', label: 'Title', max: AD_TITLE_MAX },
  { name: 'target_url', label: 'Target URL', type: 'url' },
];
const LISTING: readonly Input[] = [
  { name: 'business_name', label: 'Business name', max: AD_TITLE_MAX },
  { name: 'address', label: 'Address', max: ADDRESS_MAX },
  { name: 'phone', label: 'Phone', max: PHONE_MAX, type: 'tel' },
  { name: 'website_url', label: 'Website', type: 'url' },
];

/** Changes the words of an ad. */
export function EditAd({
  ad,
  acts,
  onDone,
}: {
  ad: TimedAd | Listing;
  acts: DeskActs;
  onDone: () => void;
}) {
  const inputs = 'title' in ad ? TIMED : LISTING;
  // A change that waits for approval goes on from there.
  const newest = ad.proposed ?? (ad as unknown as Record<string, string | null>);
  const [words, setWords] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      [...inputs.map(({ name }) => name), 'description'].map((name) => [name, newest[name] ?? '']),
    ),
  );
  const { form, words: problem, fields, show, showRefusal, forgive } = useProblems();
  const [saving, setSaving] = useState(false);
  const change = (name: string, value: string) => {
    forgive(name);
    setWords({ ...words, [name]: value });
  };

  async function save(event: FormEvent) {
    event.preventDefault();
    const schema = 'title' in ad ? timedAdText : listingText;
    const wrong = problemsIn(schema, words);
    show(wrong?.words ?? '', wrong?.fields);
    if (wrong) return;
    setSaving(true);
    try {
      if ('title' in ad) await acts.saveTimed(ad, timedAdText.parse(words));
      else await acts.saveListing(ad, listingText.parse(words));
      onDone();
    } catch (error) {
      showRefusal(error, unanswered(updateTimedAd.failure));
      setSaving(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void save(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      {inputs.map(({ name, label, max, type }) => (
        <Field
          key={name}
          label={label}
          type={type ?? 'text'}
          value={words[name] ?? ''}
          onChange={({ target }) => change(name, target.value)}
          error={fields[name]}
          maxLength={max}
        />
      ))}
      <MessageField
        label="Description"
        value={words['description'] ?? ''}
        onChange={(value) => change('description', value)}
        max={AD_DESCRIPTION_MAX}
        error={fields['description']}
        required
      />
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide pending={saving && 'Saving…'}>
          Save
        </Button>
      </div>
    </form>
  );
}
