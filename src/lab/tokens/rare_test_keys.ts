import type { JWK } from "jose";
import type { SigningAlgorithm } from "../../server/model/signing.ts";

/** RSA keys for tests, by algorithm and generation: no key signs with two. */
export const rareKeys: Readonly<Partial<Record<SigningAlgorithm, readonly (JWK | undefined)[]>>> = {
  // The first one is in `test_keys.ts`.
  RS256: [
    undefined,
    {
      kty: "RSA",
      n: "xjOa65E62e_3iW_s9fqbQyHfe-sOBi109rUlsJvrZYAdS0XmNGPG-QHbWLChzPlphICkaL5zN_XzVsWa3J9uSMGWsybaJRRu2P_JLn6icNUy2xxnACTHP7FuGqIBLL4dKOiX8gYt81LKmtKrVS8ycwVjLqE9vQf-KSvsWm0qBqU7ynVMBJVV4Sm6S9mY83mIC3US4_nJM4ZR_fATKeX8JgPVa1qe-qR5WCEVFQKgjIU6CU3m5HsIdorFhyoGEkTMQs7MS4YkGf6cw9bTonaYQo-bP4X9lQXf9z_K1Y48cZCEYPMX7n3mF1MsYp9GSm4fpvTo5KGn5XCNN40GIBfg_Q",
      e: "AQAB",
      d: "raEfoiYD7E_wBhJq_8GeqlzOLvxnuLmxsT5X2jN9L9nfz8VYOaT-9bzOrw9tbuc_rLgVTz0oKmnn1qgdVhDEyC_vGNp8V-dig-7wCy8clsPuXUywXsvZUM7aqbIqXUvet6urEHahYnuwyZisR1-lTmX10S-nqiWKXf8AeucO3envjetOLy7EFu87ruFsi1L84mV709UI6HEck0U0-w7O8yyYI04vQnvgvKbywG2HP2A_3iNPWrtknU8Rc8ko7N5_RPLvVkppA3D-hNPUQzPYCiPzNkaBSW0UGYj1UeSsRdeAZTooLGAISPWd4kZfxmR0Umaoy9fdUCjRpbgFpOaGcQ",
      p: "5bi2ZkJnOyK8hQrm6eWpkYuUNZijpRDQBCpULt4gMt5S2-cOKeOkyk1AULI5STBIwCSiiY2M4fZb9MuFt16BHWGyCq6LGvdUf00gLfgs7GBZNMzbQJf3BA-TnGmiYRcl7iYPJjz-F5GrVK1Z30Rgn9FEZufnM7uhQ_emuUdsDlc",
      q: "3N_Yfd7fvII7rwK2mM8jhgmUWx8QT1h6h_PQFCqm8FmQpB5WeEL8dXu-3RLctmwPGtEW0d7vb__s-GxU07tY5f66Y7gVYe68KAhHxhPXOKLuMa3bYQIzvK4qJOuL-o4SBWqXHkWk4oMGd7usTpW9DANM9_qe6OrpFjWi770GTss",
      dp:
        "TPtLVJVoFq8bUdJHc5Zc7sNBlXxjSouJyfuNXm9dhu5uAfc6DduVe53Lsb8n51jg6FLejQ38ajSuuCgD1WE8D2aPzXiUcSL1E_v6jq0eENBw1HrZ9pl2U8wMgVv86GBje50RcpT56VgNfEDjXyiA4M22CG4qUnHMJwS0wF4o3d0",
      dq:
        "zeuzvsYG-YzBcAyriBO2HsTXl4yCfDcVJaLdn6-ULAiUnS3bmAt7q1xPOXTYaQqdmnbNO6UIvfZwS7tT6oKEAwlVZJq-9KrKqNfvcnAU-yyLva1FFlAjRAlsKTehLVs-2eXiNcrgSn21jfNeVXWs5oI9RARYGvbHkHk5CyHDu7k",
      qi:
        "vcYJT1bsgPRigtTb0n-By__r2VPr6EVg7rcxAEJEEr_KZsk6DLJY7jHbV1wRQmagxObcwQcTMhcrVA_9sI8wK2tHnzt-94Yoh-uHGe4Sw0sA69TU91iMHoTaxebg4smKV6hk-9En2OkKJuiVcMoE1EwvrseiY29IvjXRxGqA4Wk",
    },
  ],
  PS256: [
    {
      kty: "RSA",
      n: "uSwEiy191jKMjYbt-jwk4EM9EtJHCaoyNqjsc7n5U0cW3PIyIiWE96vj9txX36TXEv7dd_vBVUK6emnS0pbw0o4jMjlo9a2sFhU1JGIMLw3v5Hhd5-rPpPito3ahSutd95y71lB1bTPwkr8dv7j6lVqKHdNHKB9wNvc94tbox6TCuD8USu0bT7aTDigN6Fbf83r_iYOy_2dOJH_VvMRBP2-qNU7nZn1Ec7GKWu_wAGdFT4kuvMaAt1XF0JSBrr25DvsxHwoP3SeQLMpbfXvfEU-j-l_LVi0KGXXICEXtkoMO9xQ2Vvv04yBVDwAi1nbfJFeqk1Y7QSxIVFO0Eno4zQ",
      e: "AQAB",
      d: "cqMiqPtf5UTkKRY4rGuhtMlLvSQ7YGtirN5FjJu9FGZ1bBHxIZyyxhY_imv9ZvKJSDRK7eYJWfx2sCRlpYRW0TO37HcIWNjNKdq1TLH6swLg2kP-dv6y0II4FXPzBQvT3-DDlTm4iQPX0zHIfBJL6DzmNvK_IcLc2NqWEKJV-IokTTKfwVouRF4zg5uL6HBcNcMA0aU7Vr_cOGaOhRbkL1q_aPjUuvp-vFjFNctKzmVPdDMxzdnYkUFb_2da-vIusu6samECTCnjTLrg9TnkhToecrY90btb_rCHHDCCdFZ6I22yD62RVDemq3aGf79KJ_mMQnN1te4Eb-4Aorc6rQ",
      p: "xhu1VgJpFFX5tqFVOYH6yhFtVZjBVExcNQ5Vli4SP_jyx0C6UBRmZyWv4oqIcG75P9PtKIfxh22QjOuRHFTc336iqJhiZephN0eEcoEqfCfX9L7aHm0dnVyzlqp-017-VLuaDSesXJlSMwpqAJDgAu8d85yomNsuvxqFz9LCK58",
      q: "70iOvAfn2qQGZN8o4h32JKwHc5XZmh39dPC4CDlsss0VwEXw_03nlP9d1eIhkkWRi6W0ADFqET0jllXNPPFB8CoG2mfRMh8RLsMsv9PMa02SY4sesvyZmcmlU9570XpDJg03VSkUUOV4R1asXoOqJJpOrhk8380VuykRgheNhBM",
      dp:
        "Eewlzp8vNHjGu6AC3s4Ei01iT9EfBGpYGTCvy4NlgUYbaK1Rbbc6wHAnZl5UE5_misC4fuc1kaP25NjW6vI-fTWur4QBuuimXOLqd5V563uLTQgLIZ-Lg1YEpUfNa3_3kGDcgf4p2MLCLf3uMxjoOzu4wPZWRmXl58IVgwS1Lk8",
      dq:
        "z4l1Ey0gMYiWayMLCKPH-6Khi-TqqTtdu_GVDL0RxDsQpIWFM0pUk-yxbHMHfyCLzj1YU9qIDo-isB-XNUZjVHR_IStuTDSZ6J8rzu1ana7YSzI83C0u5C37ETUk21lZqEVKOri4gDmnCujn88nq5nhXybTmEY6FTKGgJ99ZxLU",
      qi:
        "gBz6otT6rns8MwHYXIv-cuIISbhBnSkF2EVqYKanB4Xx9_9fH0ZrqMmsoJDG1iBdcSOpJ_xhxaYdnAkRkqzf4dFds_Gy494MtWPFzd1Z4D5A27ItCPkOlDsYehsFtYMNg_-d96XrFqpRPi4QHS8Ed89IfIxhY_2Q-Mdh2ahcTY0",
    },
    {
      kty: "RSA",
      n: "zDwFDrEf7ZPE7TX6UuasGfbTVo6CKFGzk09Kiyw_YFSNyDuF0y7RjGVZXljK2Hv9z77U7RqyeqZWpeodFnoF4dGqvVEtqIy1EVf8XOLoh5ZuVTof7CbbeHdiZvFAF1ooPBT6QgAErfTjPVaG_eSlanun8NShWRsNWTdvYzlVV4Pxaxfu51TcKvyAtgCkMQR4dlLn22BCB0ZoZFQfsH2pQQvn1PC4nDuksieOOg-w_If6i3-BoVylOKECRCFm7zG-dneO3CxCstFJtHppCLnS5jAmDkiMlpCmBStPMUKMNiKEJPagT3FAOAH4zsw2VQV5ub5rjdO9KPD_6yvWzKHvvw",
      e: "AQAB",
      d: "pAcUXL9fEDUc9RLkEA7ZbCTziVH9MRqlKguFqA8Ke3iNQqKjkX_JpoODaiXQDFxQ9bejVSaa76yGbMyBPhsUfFAjW9dF31fa2KocshE_hh4IUQTUvJpcq_zeGCVsPxUWuWJzt-xB1eCXXR0QX_tx6vqTX_W1_FWgu-Ws3Tkf1J9gEzL4a9V3Ear7nI014JZ1eL2zF_xSUNBf4LeB4SqpPc-Jo24UDfbLUql6ZqHIfi-xjrxL5HQNjeDtU11I4Z-R9EzSbiV5kztox60qr2_DSe6jDm-nq8WcJDapQjOAMASDGs5bnxcwOJYmAN32-Rx47loGNakMycRBqtO4UJRqWQ",
      p: "0r4gWK2x3NhmVKhjItoqMLy0Dh_yQMfaGaC6oQWTQcSzFiKatBw7WN5IuanRQqgMWYA4gxamZjuVbRjPQJ2k3A50Cr-y5EEY0B-M6ko7T4_ODuPyWJVfBf1v6tJYMWs0cm9xFIcCMrNirOEZIXs187N5Czp7P6LoViSjgWfk8BM",
      q: "-BgYK6SxGj4RBITAhsrdThryZRLHifmXgOh_nLtNunj0AyGal9mXSHMzaNPUJ21ojNLZfYJwZM8NSfIxp3qfN7nF-iho-E2tCRWWRdxDOx46ORHb9XNkS58wJbooybJerC7YEOoU6aKIOGzRIoquYxWrbZ_Zo26YdLUb5GYhbyU",
      dp:
        "nQQVW50GoTIGhFr1ihkcSDXAvalluIhu4ptTkfdycRUaDYr40usZ-Kudad-xz0Uf9mtHL7xnfFI2khNjD5SlKWQHZ57OrawmzaJEPqfSKwRNFeEWRpP8OZ1LjpzsIt3qNLz9drrkk1v-UCpirAR9_TYiIJCRFafODai8vgTnmUs",
      dq:
        "6ldX_WGDKBaYXHxInwngIHazn2UttdZclRcH8zO5J_o4Av0q2WRe0cB_PvVX4CYoK1y-sx8SqyYol0B-RoQ9AJYpuzGQdXpph7ssRrDXkG_s7xs_eYmVoxiqkfhVrq8dXeahkNiLCGTN5v5iTQ5RyqYdV182ZHmC6DpqLkOKMUE",
      qi:
        "xptIa7aWM0nlOKvu7X7Bt1XwEhcIMALNMkyk9qesWVk9av9lbIDiGhF-WpoypFIQBda7jrkW_LLJtdJOzfedYe9Hjscrs79qld6IlmEfhTqrPOMBdGTSVDF3JekZ6d2W8L-ztcn_PASEgtW0acxrZAzO3AwlW2atBWIj8vKwqO4",
    },
  ],
};
