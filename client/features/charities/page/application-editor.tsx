import { useState } from 'react';
import { toast } from 'sonner';
import { withScheme } from '#shared/ads/rules.ts';
import {
  changeApplication,
  LOGO_NO_IMAGE,
  pageFields,
  type Application,
  type OpenedApplication,
} from '#shared/charities/contract.ts';
import {
  STORY_MAX,
  UPDATE_TEXT_MAX,
  VERIFIED_FIELDS,
  VERIFIED_FIXED,
} from '#shared/charities/rules.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { parseForm, useSubmit } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { usePicture } from '../../../platform/pictures/use-picture.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { ImageField } from '../../../platform/ui/inputs/image-field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../../platform/ui/inputs/use-object-url.ts';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { CharityAddress, charityInput } from '../charity-input.tsx';
import { CharityLogo } from '../charity-logo.tsx';
import { CharityPresentation } from './charity-presentation.tsx';
import { ShareCharity } from './share-charity.tsx';

const draftOf = ({ charity }: Application) => ({
  charity_name: charity.charity_name,
  description: charity.description,
  payment_link: charity.payment_link,
  website_url: charity.website_url ?? '',
  address: charity.address ?? '',
  city: charity.city ?? '',
  state: charity.state ?? '',
  zip_code: charity.zip_code ?? '',
  story: charity.story ?? '',
  goal: charity.goal_cents === null ? '' : String(charity.goal_cents / 100),
  update: '',
});
type Draft = ReturnType<typeof draftOf>;

/** Dollars to cents; NaN for what is no amount, which validation rejects; null for none. */
const centsOf = (dollars: string): number | null =>
  dollars.trim() === '' ? null : Math.round(Number(dollars) * 100);

/** The applicant's own view: state, changes and a preview. @param token of the emailed link */
export function ApplicationEditor({ token, opened }: { token: string; opened: OpenedApplication }) {
  const [application, setApplication] = useState<Application>(opened);
  const [draft, setDraft] = useState(() => draftOf(opened));
  const { charity, rejection, version } = application;
  // Beside the form, or above its button.
  const isWide = useMedia('(min-width: 64rem)');
  const logo = usePicture({ endpoint: changeApplication, notAnImage: LOGO_NO_IMAGE });
  const [savedLogo, setSavedLogo] = useState<File | null>(null);
  const [isLogoRemoved, setLogoRemoved] = useState(false);
  const logoKey = isLogoRemoved ? null : charity.logo_key;
  const chosenUrl = useObjectUrl(logo.shown ?? (logoKey === null ? null : savedLogo));
  // Until it is verified, visitors can't load it.
  const logoUrl = chosenUrl ?? (logoKey === opened.charity.logo_key ? opened.logo_url : null);
  const form = useSubmit(
    async (keyFor) => {
      const { goal, update, ...texts } = draft;
      const isOpen = ([name]: [string, string]) =>
        !charity.is_verified || !VERIFIED_FIELDS.some((field) => field === name);
      const body = {
        ...parseForm(pageFields, {
          ...Object.fromEntries(Object.entries(texts).filter(isOpen)),
          goal_cents: centsOf(goal),
          ...(update.trim() !== '' && { update }),
        }),
        token,
        version,
      };
      const file = await logo.taken();
      // A form has no null: '' is none.
      const sent = file
        ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? '']))
        : { ...body, ...(isLogoRemoved && { logo_key: null }) };
      const saved = await call(changeApplication, {
        body: sent as typeof body,
        ...(file && { file }),
        idempotencyKey: keyFor(sent, file?.name, file?.size, file?.lastModified),
      });
      if (file) setSavedLogo(file);
      logo.clear();
      setLogoRemoved(false);
      setApplication(saved);
      setDraft(draftOf(saved));
      toast.success('Saved');
    },
    { staysOpen: true },
  );
  const bind = form.bind(draft, (name, text) =>
    setDraft((before) => ({ ...before, [name]: text })),
  );
  const preview = {
    ...charity,
    logo_key: logoKey,
    description: draft.description,
    charity_name: draft.charity_name,
    payment_link: withScheme(draft.payment_link.trim()),
    website_url: draft.website_url.trim() || null,
    address: draft.address.trim() || null,
    city: draft.city.trim() || null,
    state: draft.state.trim() || null,
    zip_code: draft.zip_code.trim() || null,
    story: draft.story.trim() || null,
    goal_cents: Number.isFinite(centsOf(draft.goal)) ? centsOf(draft.goal) : null,
  };
  const input = charityInput(bind as Parameters<typeof charityInput>[0]);
  const message = (name: keyof Draft, label: string, max: number, hint: string) => (
    <MessageField label={label} max={max} rows={4} hint={hint} {...bind(name)} />
  );
  const pageView = (
    <section
      aria-label="Preview"
      className="rounded-card border border-dashed border-line-strong p-4 lg:sticky lg:top-4"
    >
      <p className="mb-3 text-sm text-soft">Preview</p>
      <CharityPresentation charity={preview} logoUrl={logoUrl} level="h2" />
    </section>
  );
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-6 py-4 lg:grid lg:max-w-5xl lg:grid-cols-2 lg:items-start">
      <div className="flex flex-col gap-2 lg:col-span-2">
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          Your charity’s page
        </h1>
        <p role="status" className="rounded-control bg-accent-soft p-4">
          {charity.is_verified && charity.is_active ? (
            <span>It’s verified, and everybody can see it.</span>
          ) : rejection ? (
            <span>
              <b>We couldn’t verify it: </b>
              {rejection} <span>Correct it, and we’ll look again.</span>
            </span>
          ) : charity.is_verified ? (
            <span>
              It’s verified, but we don’t show it at the moment. Reply to our email if you don’t
              know why.
            </span>
          ) : (
            <span>We’re reviewing it. You can still change everything.</span>
          )}
        </p>
        {charity.is_verified && charity.is_active && <ShareCharity charity={charity} />}
      </div>
      <Form form={form} submit="Save" isInView className="gap-5 [--actions-bottom:0px]">
        {charity.is_verified ? (
          <p className="text-soft">{VERIFIED_FIXED} Reply to our email if something has changed.</p>
        ) : (
          <>
            {input('charity_name', 'Charity name')}
            {input('payment_link', 'Payment link')}
            {input('website_url', 'Website')}
          </>
        )}
        {input('description', 'Description')}
        {!charity.is_verified && (
          <>
            <ImageField
              label={optionalLabel('Logo', ', under 2 MB')}
              noun="logo"
              preview={
                <CharityLogo key={logoUrl ?? logoKey} logoKey={logoKey} url={logoUrl} isPublic />
              }
              hasImage={logoUrl !== null || logoKey !== null}
              error={logo.problem || form.fields['logo']}
              onChoose={(file) => {
                form.clear('logo');
                setLogoRemoved(false);
                logo.choose(file);
              }}
              remove={{
                label: 'Remove logo',
                onRemove: () => {
                  form.clear('logo');
                  logo.clear();
                  setLogoRemoved(true);
                },
              }}
            />
            <CharityAddress input={input} isOwn />
          </>
        )}
        {message('story', 'Story', STORY_MAX, 'Who you are, and what a donation does.')}
        <Field
          label={optionalLabel('Goal in dollars')}
          type="number"
          inputMode="decimal"
          min={1}
          {...bind('goal')}
          error={form.fields['goal_cents']}
        />
        {message(
          'update',
          'New update',
          UPDATE_TEXT_MAX,
          'Shown with today’s date, above older ones.',
        )}
        {!isWide && pageView}
      </Form>
      {isWide && pageView}
    </div>
  );
}
