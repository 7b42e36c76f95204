import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { HttpError } from '#shared/http/http-error.ts';

/** The country of numbers without a country code. */
const COUNTRY = 'US';
/** In North America, mobile and landline numbers look the same. */
const MOBILE = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

const refused = (message: string) =>
  new HttpError(400, message, { fields: { recipient_phone: message } });

/**
 * Parses a mobile number as typed by a user.
 * @param countries that get text messages, as two posts each
 * @returns it in E.164
 * @throws HttpError 400 on the phone field for other numbers, such as premium-rate numbers
 */
export function mobileNumber(phone: string, countries: readonly string[]): string {
  const number = parsePhoneNumberFromString(phone, { defaultCountry: COUNTRY, extract: false });
  if (!number?.isPossible() || number.ext)
    throw refused('Please enter a phone number with its area code');
  if (!number.isValid()) throw refused('This phone number doesn’t exist. Check it.');
  if (!number.country || !countries.includes(number.country))
    throw refused('We can’t text numbers in this country. Share your link instead.');
  if (!MOBILE.has(number.getType() ?? '')) throw refused('Please enter a mobile phone number');
  return number.number;
}
