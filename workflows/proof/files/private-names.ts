/**
 * Members, columns and fields whose values are private by what they are called. What one of these names announces belongs to one
 * person, or opens something; no page shows it to others on purpose.
 */
export const privateNames = {
  password:
    /^(?:[a-z]+[_-])?(?:pass(?:word|wd|phrase|code)?|pwd)(?:[_-]?(?:plain|clear|text))?$|[a-z](?:Password|Passwd)$|^pw$/i,
  hash: /^(?:[a-z]+[_-]?)?(?:(?:pass(?:word|wd)?|pwd)[_-]?(?:hash|digest|crypt|encrypted)|(?:hashed|encrypted|crypted)[_-]?(?:pass(?:word|wd)?|pwd))$/i,
  key: /^(?:(?:api|access|auth|session|secret|private|refresh|reset|remember|activation|recovery|bearer|totp|otp|mfa|two[_-]?factor)[_-]?(?:key|token|secret|seed|id)?|token|secret)$/i,
  /** Whoever is asked for one is given an account for it, however short it is. */
  code: /^(?:password[_-]?)?(?:reset|recovery)[_-]?(?:code|pin|token|key)$/i,
  card: /^(?:(?:credit|debit|bank|payment)[_-]?)?(?:card|cc)(?:[_-]?(?:number|num|no))?$|^pan$/i,
  identity:
    /^(?:ssn|social[_-]?security(?:[_-]?(?:number|no))?|national[_-]?id|tax[_-]?(?:id|number)|passport(?:[_-]?(?:number|no))?|iban|bank[_-]?account(?:[_-]?(?:number|no))?|driving[_-]?licen[cs]e)$/i,
} as const;

/** The same of what is not secret by itself: what its owner keeps, and only those who serve them know. */
const confidential =
  /^(?:secret(?:[_-]\w+|[A-Z]\w+)?|private[_-]?(?:note|message|data|content|key)s?|confidential(?:[_-]?\w+)?|(?:account[_-]?)?balance|diagnos[ie]s|prescriptions?|medical[_-]?\w*|blood[_-]?type|recovery[_-]?codes?)$/i;

/** Of health and income: nobody publishes a list of people with it. */
export const sensitiveName =
  /^(?:diagnos[ie]s|medications?|prescriptions?|medical[_-]?\w+|blood[_-]?(?:type|group)|allerg(?:y|ies)|salary|wage|income)$/i;
/** What says who somebody is to those who serve them, and how they are reached; one of these alone is on many pages. */
export const personalNames = {
  birth: /^(?:(?:date[_-]?of[_-]?)?birth(?:[_-]?(?:date|day))?|dob|born)$/i,
  reach: /^(?:(?:tele)?phone|mobile|cell)(?:[_-]?(?:number|no))?$/i,
  home: /^(?:(?:home|delivery|shipping|street|postal)[_-]?)?address(?:[_-]?1)?$|^street$/i,
} as const;
/** People whom a business serves: it publishes none of them. */
export const servedName = /^(?:customer|patient|client|guest|recipient|buyer|tenant|passenger)(?:[_-]?name)?$/i;

/** Whether a value under this name belongs to one person alone, whatever other members of a site are shown of them. */
export const isPrivateName = (name: string): boolean =>
  confidential.test(name) || Object.values(privateNames).some((pattern) => pattern.test(name));
