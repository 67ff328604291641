/** Hashes of passwords by the formats of crypt(3), PHC and frameworks. */
const passwordHash =
  /^(?:\$2[abxy]?\$\d\d\$[./\w]{53}|\$argon2(?:id|i|d)\$.{20,300}|\$(?:1|5|6|y|7|gy)\$[^\s]{10,300}|\$(?:P|H)\$[./\w]{31}|\$scrypt\$.{20,300}|\$pbkdf2[\w-]*\$.{20,300}|(?:pbkdf2_sha\d+|bcrypt_sha256|scrypt|argon2)\$[^\s]{20,300}|(?:pbkdf2|scrypt):[\w:]+\$[^\s]{20,300}|\{(?:S?SHA\d*|S?MD5|CRYPT|BCRYPT|PBKDF2)\}[^\s]{16,300})$/i;

export const isPasswordHash = (value: string): boolean => value.length <= 400 && passwordHash.test(value);

/** Sixteen letters and digits or more of both kinds, most of them different. */
export const isUnguessableKey = (value: string): boolean =>
  /^[\w~+/.=:-]{16,4096}$/.test(value) &&
  !/^https?:/i.test(value) &&
  (value.match(/\d/g) ?? []).length >= 2 &&
  /[a-z]/i.test(value) &&
  new Set(value).size >= 10;

export const isMailText = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= 320 &&
  /^[^\s@<>]{1,64}@[^\s@<>.]{1,63}(?:\.[^\s@<>.]{1,63}){1,6}$/.test(value);

/** ISO/IEC 7812-1: 13 to 19 digits, perhaps in groups, of which the last one is the check digit by Luhn. */
export function isCardNumber(value: string): boolean {
  const digits = value.replace(/[ -]/g, '');
  if (!/^[2-6]\d{12,18}$/.test(digits) || value.length > 24 || new Set(digits).size < 3) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
