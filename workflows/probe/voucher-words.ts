/** What a code is for that is worth something, and lets nobody in. */
export const voucherWords = /coupon|voucher|promo|gift|bonus|redeem|discount|gutschein|referral/i;
