import type { ComponentProps } from 'react';
import {
  CHARITY_DESCRIPTION_MAX,
  CHARITY_NAME_MAX,
  CHARITY_TEXT_MAX,
} from '#shared/charities/rules.ts';
import type { Bound } from '../../platform/forms/use-submit.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { TextArea } from '../../platform/ui/inputs/text-area.tsx';
import type { CharityDraft } from './charity-form.ts';

type Name = keyof CharityDraft;
type Shape = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'placeholder' | 'maxLength' | 'required'
>;

const EMAIL: Shape = { type: 'email', inputMode: 'email', required: true };
const URL: Shape = { type: 'url', inputMode: 'url', placeholder: 'https://' };
const text = (name: keyof typeof CHARITY_TEXT_MAX): Shape => ({
  maxLength: CHARITY_TEXT_MAX[name],
});

const SHAPES: Record<Exclude<Name, 'description'>, Shape> = {
  charity_name: { maxLength: CHARITY_NAME_MAX, required: true },
  contact_name: { ...text('contact_name'), required: true },
  contact_email: EMAIL,
  confirm_email: EMAIL,
  phone: { type: 'tel', inputMode: 'tel', ...text('phone') },
  address: text('address'),
  city: text('city'),
  state: text('state'),
  zip_code: text('zip_code'),
  website_url: URL,
  tax_id: text('tax_id'),
  payment_link: { ...URL, required: true },
};

/** Creates the inputs of a charity's form. */
export const charityInput =
  (bind: (name: Name) => Bound<Name>) =>
  (name: Name, label: string, more: { hint?: string; autoComplete?: string } = {}) => {
    if (name === 'description')
      return (
        <TextArea
          label={label}
          maxLength={CHARITY_DESCRIPTION_MAX}
          required
          {...more}
          {...bind(name)}
        />
      );
    const shape = SHAPES[name];
    return (
      <Field
        label={shape.required ? label : optionalLabel(label)}
        {...shape}
        {...more}
        {...bind(name)}
      />
    );
  };

/** The address of a charity's form. @param isOwn whether the browser may fill in what it knows of the typist */
export function CharityAddress({
  input,
  isOwn = false,
}: {
  input: ReturnType<typeof charityInput>;
  isOwn?: boolean;
}) {
  const known = (autoComplete: string) => (isOwn ? { autoComplete } : {});
  return (
    <>
      {input('address', 'Street', known('street-address'))}
      {input('city', 'City', known('address-level2'))}
      <div className="grid gap-4 sm:grid-cols-2">
        {input('state', 'State', known('address-level1'))}
        {input('zip_code', 'ZIP code', known('postal-code'))}
      </div>
    </>
  );
}
